// Compares our lowering of OpenAPI 3.1 documents with that of openapi-down-convert: lowering.mjs NAMES...
//
// For each name, the folder has the document (0.yaml, 1.yaml, …) and our result (0.json, 1.json, …).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import openapiTS, { astToString } from "openapi-typescript";

const require = createRequire(import.meta.url);
const { Converter } = require("@apiture/openapi-down-convert");
const yaml = createRequire(require.resolve("@apiture/openapi-down-convert"))("js-yaml");

/** The types of a document, a line for each, without comments and without parentheses that mean nothing. */
async function types(document) {
  const code = astToString(await openapiTS(document, { silent: true, alphabetize: true }));
  return code
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\((\w+)\)/g, "$1")
    .replace(/\(([^()]*)\) \| null/g, "$1 | null")
    .split("\n")
    .filter((line) => line.trim());
}

const names = process.argv.slice(2);
let lines = 0;
for (const [index, name] of names.entries()) {
  const original = yaml.load(readFileSync(`${index}.yaml`, "utf8"));
  const ours = await types(JSON.parse(readFileSync(`${index}.json`, "utf8")));
  const theirs = await types(new Converter(original, { allOfTransform: true }).convert());
  const other = ours.findIndex((line, at) => line !== theirs[at]);
  if (other >= 0 || ours.length !== theirs.length) {
    const part = (code) => code.slice(Math.max(other - 5, 0), other + 5).join("\n");
    console.error(`${name}: ours\n${part(ours)}\ntheirs\n${part(theirs)}`);
    process.exit(1);
  }
  lines += ours.length;
}
console.log(`${names.length} documents have the same types, ${lines} lines`);
