import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskedAddress } from '../../src/config/mask.js';
import { withoutAddressPasswords } from '../../src/core/wording/address-passwords.js';
import { masked } from '../../src/core/wording/secrets.js';
import { processorTime } from '../support/processor-time.js';

const SECRET = '(a secret, left out)';
/** What ends an address in a text where an `@` is before it: a quotation mark, and another address behind a comma. */
const ENDED = /@.*(?:["'](?=[,;)])|[,;](?=X1|Y2|Z3).*:\/\/)/u;
/** Parts that are found again: `hunter22`, and what stands between the signs. */
const password = fc
  .array(
    fc.constantFrom('/', '@', ':', '?', '#', '%', '&', '=', '!', '//', '@/', '"', "'", ')', ',', ';', 'X1', 'Y2', 'Z3'),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((parts) => `Q${parts.join('')}hunter22`);
const scheme = fc.constantFrom('postgres', 'mysql', 'redis', 'mongodb+srv', 'amqp', 'https', 'bolt+s');
const user = fc.constantFrom('svc', '', 'ada@shop', 'first.last');

describe('a password in an address', () => {
  it('is left out whole, whatever signs it holds, in texts and in settings', () => {
    fc.assert(
      fc.property(scheme, user, password, (name, login, secret) => {
        const address = `${name}://${login}:${secret}@db.example:5432/shop`;
        expect(maskedAddress(address)).toBe(`${name}://${login}:***@db.example:5432/shop`);
        if (ENDED.test(secret)) return;
        const shown = masked(`It is at ${address} since May.`);
        expect(shown).toBe(`It is at ${name}://${login}:${SECRET}@db.example:5432/shop since May.`);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['"redis://a:hun/ter@22@b","mail":"x@y.example"', `"redis://a:${SECRET}@b","mail":"x@y.example"`],
    ['redis://a:hun/ter22@b,redis://c:hun@ter22@d', `redis://a:${SECRET}@b,redis://c:${SECRET}@d`],
    ['redis://a:hunter22@b, ada@x.example', `redis://a:${SECRET}@b, ada@x.example`],
    ['postgres://svc:1234/5@db', `postgres://svc:${SECRET}@db`],
    [`postgres://svc:pa')ss@db/x`, `postgres://svc:${SECRET}@db/x`],
    ['postgres://svc:a",b@db/x', `postgres://svc:${SECRET}@db/x`],
    ['postgres://user:1234",b@db/x', `postgres://user:${SECRET}@db/x`],
    ['postgres://user:1234/5",b@c@db/x, and', `postgres://user:${SECRET}@db/x, and`],
    ['"postgres://user:1234",b@db/x"', `"postgres://user:${SECRET}@db/x"`],
    [
      `url='postgres://user:12',b@db/x', mail=ada@x.example`,
      `url='postgres://user:${SECRET}@db/x', mail=ada@x.example`,
    ],
    [
      '"a":"postgres://user:1234",b@db/x","mail":"ada@x.example"',
      `"a":"postgres://user:${SECRET}@db/x","mail":"ada@x.example"`,
    ],
    ['docker://ada:hunter22@x.example/app@sha256:abc', `docker://ada:${SECRET}@x.example/app@sha256:abc`],
  ])('is left out of %s alone', (text, shown) => {
    expect(masked(text)).toBe(shown);
  });

  it.each([
    [`postgres://svc:pa')ss@db/x`, 'postgres://svc:***@db/x'],
    ['postgres://svc:a",b@db/x', 'postgres://svc:***@db/x'],
    [`postgres://svc:a@",b@db/x`, 'postgres://svc:***@db/x'],
    [`postgres://${'u'.repeat(200)}:hunter22@db`, `postgres://${'u'.repeat(200)}:***@db`],
    ['x://svc:hunter22@db', 'x://svc:***@db'],
  ])('is left out of the setting %s', (address, shown) => {
    expect(maskedAddress(address)).toBe(shown);
  });

  it.each([
    `a://b:c"`,
    `a://b:c",`,
    `ab://b:1",`,
    `ab://b:1",c`,
    'ab://',
    'ab://b:c,',
    '@sha256:',
    'a.',
    'http://b:8080,',
  ])('is sought in linear time in many of %s', async (part) => {
    const long = `ab://b:${part.repeat(50_000)}`;
    const spent = await processorTime(() => {
      withoutAddressPasswords(long, SECRET);
      maskedAddress(long);
    });
    expect(spent).toBeLessThan(5000);
  });

  it.each(['?', '&', '?key', '?secret&', 'password?', '?a=', 'key='])(
    'is sought in linear time among parameters: many of %s',
    async (part) => {
      const long = part.repeat(1_000_000 / part.length);
      const spent = await processorTime(() =>
        expect(maskedAddress(`${long}?token=hunter22`)).toMatch(/\?token=\*{3}$/),
      );
      expect(spent).toBeLessThan(5000);
    },
  );

  it('is not seen in the next member of JSON', () => {
    const json = '{"at":"bolt://db:7687","store":"postgres://db:5432/shop","mail":"ada@x.example"}';
    expect(masked(json)).toBe(json);
    const quoted = JSON.stringify(json);
    expect(masked(quoted)).toBe(quoted);
  });

  it.each([
    '"bolt://db:7687",ada@x.example',
    '"jdbc:postgresql://db:5432",ada@x.example,"the next"',
    "url='bolt://db:7687',ada@x.example",
    '`bolt://db:7687`, and `mailto:ada@x.example`',
  ])('is not seen behind an address in quotation marks: %s', (text) => {
    expect(masked(text)).toBe(text);
  });

  it.each([
    'docker://localhost:5000/app@sha256:abc',
    'http://localhost:8080,ada@x.org',
    'ws://localhost:8080;ada@x.org',
    'See http://localhost:3000/@ada for it.',
    'https://[::1]:8080/@ada',
    'https://x.example/@ada:1',
    'bolt://db:7687 and mail ada@x.example',
    'file:///work/node_modules/@koa/router.js:10:5',
    'ssh://git@x.example/ada.git',
  ])('is not seen where there is none: %s', (text) => {
    expect([masked(text), maskedAddress(text)]).toEqual([text, text]);
  });
});
