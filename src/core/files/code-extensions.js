/** Extensions of files of source code, without the dot, by the language whose grammar reads them. */
export const READ_BY_GRAMMAR = {
  python: 'py pyi',
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts',
  tsx: 'tsx',
  java: 'java',
  cpp: 'c h cc cpp cxx hpp hh hxx',
  csharp: 'cs',
  go: 'go',
  rust: 'rs',
  php: 'php',
  ruby: 'rb',
  bash: 'sh bash zsh',
  powershell: 'ps1 psm1',
};
/** Those of languages without a grammar, which are divided by their form. */
const READ_BY_FORM = 'bat kt kts swift scala groovy dart lua pl pm r jl ex exs hs clj sql proto graphql tf';

/** All of them, with the dot. */
export const CODE_EXTENSIONS = [...Object.values(READ_BY_GRAMMAR), READ_BY_FORM].flatMap((extensions) =>
  extensions.split(' ').map((one) => `.${one}`),
);
