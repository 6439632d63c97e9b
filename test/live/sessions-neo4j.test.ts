import { sessionsSuite } from '../service/sessions.suite.js';
import { neo4jEnvironment } from './neo4j.js';

sessionsSuite('Neo4j', neo4jEnvironment);
