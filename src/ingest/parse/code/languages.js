import { READ_BY_GRAMMAR } from '../../../core/files/code-extensions.js';

/**
 * How the tree of a grammar names what a reader looks for.
 * @typedef {object} Language
 * @property {string} grammar Name of the grammar.
 * @property {ReadonlySet<string>} declared Types of nodes that give a name to a piece of code.
 * @property {ReadonlySet<string>} holders Those of them that hold others, as a class holds methods.
 * @property {ReadonlySet<string>} around Types of nodes that stand around declarations and are none: bodies, exports, templates, namespaces.
 * @property {ReadonlySet<string>} before Types of nodes that belong to the declaration behind them, as attributes do.
 * @property {string} joint What stands between the name of a holder and of what it holds.
 */

/** @param {{ grammar: string, holders: string, others: string, around: string, before?: string, joint?: string }} language @returns {Language} */
function language({ grammar, holders, others, around, before = '', joint = '.' }) {
  return {
    grammar,
    declared: setOf(`${holders} ${others}`),
    holders: setOf(holders),
    around: setOf(around),
    before: setOf(before),
    joint,
  };
}

/** @param {string} words */
function setOf(words) {
  return new Set(words.split(' ').filter((word) => word !== ''));
}

const SCRIPT = {
  holders: 'class_declaration abstract_class_declaration interface_declaration class call_expression',
  others:
    'function_declaration generator_function_declaration function_signature type_alias_declaration enum_declaration method_definition method_signature abstract_method_signature public_field_definition field_definition lexical_declaration variable_declaration assignment_expression pair',
  around:
    'export_statement ambient_declaration class_body interface_body object_type expression_statement internal_module module statement_block',
  before: 'decorator',
};
const C = {
  holders: 'struct_specifier class_specifier union_specifier',
  others:
    'function_definition enum_specifier type_definition alias_declaration concept_definition declaration field_declaration preproc_def preproc_function_def',
  around:
    'template_declaration linkage_specification declaration_list namespace_definition field_declaration_list preproc_if preproc_ifdef preproc_else preproc_elif ERROR',
  joint: '::',
};

const LANGUAGES = {
  javascript: language({ grammar: 'javascript', ...SCRIPT }),
  typescript: language({ grammar: 'typescript', ...SCRIPT }),
  tsx: language({ grammar: 'tsx', ...SCRIPT }),
  python: language({
    grammar: 'python',
    holders: 'class_definition',
    others: 'function_definition',
    around:
      'decorated_definition block if_statement elif_clause else_clause try_statement except_clause finally_clause',
  }),
  java: language({
    grammar: 'java',
    holders: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
    others: 'method_declaration constructor_declaration compact_constructor_declaration',
    around: 'class_body interface_body enum_body enum_body_declarations annotation_type_body',
  }),
  cpp: language({ grammar: 'cpp', ...C }),
  csharp: language({
    grammar: 'c-sharp',
    holders: 'class_declaration struct_declaration interface_declaration record_declaration',
    others: 'enum_declaration delegate_declaration method_declaration constructor_declaration property_declaration',
    around: 'namespace_declaration file_scoped_namespace_declaration declaration_list',
  }),
  go: language({
    grammar: 'go',
    holders: '',
    others: 'function_declaration method_declaration type_spec type_alias const_declaration var_declaration',
    around: 'type_declaration',
  }),
  rust: language({
    grammar: 'rust',
    holders: 'impl_item trait_item',
    others:
      'function_item function_signature_item struct_item enum_item union_item macro_definition type_item const_item static_item',
    around: 'mod_item declaration_list foreign_mod_item',
    before: 'attribute_item',
    joint: '::',
  }),
  php: language({
    grammar: 'php',
    holders: 'class_declaration interface_declaration trait_declaration enum_declaration',
    others: 'function_definition method_declaration',
    around: 'namespace_definition compound_statement declaration_list enum_declaration_list',
    joint: '::',
  }),
  ruby: language({
    grammar: 'ruby',
    holders: 'class module call',
    others: 'method singleton_method',
    around: 'body_statement singleton_class',
  }),
  bash: language({ grammar: 'bash', holders: '', others: 'function_definition', around: '' }),
  powershell: language({
    grammar: 'powershell',
    holders: 'class_statement',
    others: 'function_statement enum_statement class_method_definition',
    around: 'statement_list',
  }),
};

const BY_EXTENSION = new Map(
  Object.entries(READ_BY_GRAMMAR).flatMap(([name, extensions]) =>
    extensions
      .split(' ')
      .map((one) => /** @type {const} */ ([`.${one}`, LANGUAGES[/** @type {keyof typeof LANGUAGES} */ (name)]])),
  ),
);

/** Returns the language of a file by its extension, with the dot, in lower case; undefined where there is no grammar of it. @param {string} extension @returns {Language | undefined} */
export function languageOfExtension(extension) {
  return BY_EXTENSION.get(extension);
}
