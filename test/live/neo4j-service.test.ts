import { badInputSuite } from '../service/bad-input.suite.js';
import { exactnessSuite } from '../service/exactness.suite.js';
import { variantASuite } from '../service/routes.suite.js';
import { neo4jEnvironment } from './neo4j.js';

variantASuite('Neo4j', neo4jEnvironment);
badInputSuite('Neo4j', neo4jEnvironment);
exactnessSuite('Neo4j', neo4jEnvironment);
