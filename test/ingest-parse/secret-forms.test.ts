import { describe, expect, it } from '@jest/globals';
import { withoutSecretForms } from '../../src/core/wording/secret-forms.js';
import { linesOf } from '../ingest-markup/read-markup.js';

const OUT = '(a secret, left out)';
/** Made up; put together here, so that nobody who looks for keys finds one. */
const KEYS = [
  `ghp_${'a1B2'.repeat(9)}`,
  `gho_${'a1B2'.repeat(9)}`,
  `github_pat_${'a1B2_'.repeat(12)}`,
  `glpat-${'a1-B2'.repeat(4)}`,
  `AKIA${'A1B2'.repeat(4)}`,
  `ASIA${'A1B2'.repeat(4)}`,
  `sk-${'a1B2'.repeat(12)}`,
  `sk-proj-${'a1_B2'.repeat(8)}`,
  `sk-ant-api03-${'a1-B2'.repeat(8)}`,
  `sk_live_${'a1B2'.repeat(6)}`,
  `xoxb-${'1234567890-'.repeat(2)}abcDEF`,
  `AIza${'a1B_2'.repeat(7)}`,
  `npm_${'a1B2'.repeat(9)}`,
];

describe('a secret that its form tells', () => {
  it.each(KEYS)('is left out whatever it is called: %s', (key) => {
    expect(withoutSecretForms(`Ask with ${key}, or "${key}".`)).toBe(`Ask with ${OUT}, or "${OUT}".`);
  });

  it.each([
    'tokens begin with ghp_ or glpat-',
    '.sk-loading-spinner-container-wrapper { color: red }',
    'the risk-free-rate-of-2026-in-Berths',
    'AKIAHARBOUR',
    'xoxb-',
    'commit 9d83120b9d83120b9d83120b9d83120b9d83120b',
  ])('is not one that only begins like it: %s', (text) => {
    expect(withoutSecretForms(text)).toBe(text);
  });

  it('ends where a block of PGP does', () => {
    const block = '-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----';
    expect(withoutSecretForms(`Ours:\n${block}\nKeep it.`)).toBe(`Ours:\n${OUT}\nKeep it.`);
  });

  it('is no private key that a text only speaks of', async () => {
    const spoken = 'A key begins with `-----BEGIN RSA PRIVATE KEY-----`. Keep it in the harbour office.';
    expect(withoutSecretForms(spoken)).toBe(spoken);
    const code = `export function isKey(pem) {\n  return pem.startsWith('-----BEGIN PRIVATE KEY');\n}\n`;
    expect((await linesOf('a.js', `${code}\n/** Opens the harbour. */\nexport function open() {}\n`)).join()).toContain(
      'harbour',
    );
    for (const cut of ['MIIEvQIBADANBgkqhkiG9w0B', `' +\n'MIIEvQIBADANBgkqhkiG9w0B`])
      expect(withoutSecretForms(`-----BEGIN PRIVATE KEY-----\n${cut}`)).toBe(OUT);
  });

  const [key] = KEYS;
  it.each([
    ['a.yaml', `remote: ${key}\nname: harbour\n`],
    ['a.json', JSON.stringify({ remote: key, name: 'harbour' })],
    ['a.csv', `name,remote\nharbour,${key}\ndock,none\n`],
    ['a.py', `open("harbour", "${key}")\n`],
    ['a.sh', `curl -u harbour:${key} https://git.example\n`],
    ['a.md', `---\nremote: ${key}\n---\n\n# harbour\n\nWhere boats lie.\n`],
    [
      'a.ipynb',
      JSON.stringify({
        cells: [{ cell_type: 'code', source: [`harbour("${key}")`], outputs: [], metadata: {} }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
    ],
  ])('is left out of %s', async (name, written) => {
    const read = (await linesOf(name, written)).join('\n');
    expect(read).toContain('harbour');
    expect(read).not.toContain(key);
    expect(read).toContain(OUT);
  });
});
