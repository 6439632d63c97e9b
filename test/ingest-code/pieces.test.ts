import { expect, it } from '@jest/globals';
import { linesOf } from '../ingest-markup/read-markup.js';

it.each([
  ['a.swift', 'struct Boat: Codable {\n  let a: Int\n  let b: Int\n}\n', 'Boat'],
  ['a.swift', '@MainActor\nfinal class Store: ObservableObject {\n  let a: Int\n  let b: Int\n}\n', 'Store'],
  ['a.kt', '@Entity(name = "boats")\n@Serializable\ndata class Boat(\n  val a: Int,\n)\n', 'Boat'],
  ['a.kt', 'inline fun <reified T> load(path: String): T {\n  val a = 1\n  return a\n}\n', 'load'],
  ['a.kt', 'fun String.shout(): String {\n  val a = 1\n  return a\n}\n', 'String.shout'],
  ['a.sql', 'CREATE TABLE "public"."boats" (\n  a int,\n  b int\n);\n', 'public.boats'],
  ['a.sql', 'CREATE TABLE [dbo].[Boats] (\n  a int,\n  b int\n);\n', 'dbo.Boats'],
  ['a.sql', 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS by_name\n  ON boats\n  (a,\n  b);\n', 'by_name'],
  ['a.sql', 'CREATE TEMP TABLE payers AS\nSELECT a\nFROM boats\nWHERE b;\n', 'payers'],
  ['a.lua', 'function Store:load(path)\n  local a = 1\n  return a\nend\n', 'Store:load'],
  ['a.proto', 'message Boat {\n  string a = 1;\n  string b = 2;\n}\n', 'Boat'],
])('of %s a declaration has its name: %s', async (name, written, expected) => {
  const [, heading] = await linesOf(name, written);
  expect(heading?.replace(/ \([^()]*\)$/u, '')).toBe(`# 2 ${expected}`);
});
