import type { LlmProtocol } from './protocol.js';

interface MessageAnswer {
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string }>;
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
}

/** The messages of Anthropic. */
export const anthropic: LlmProtocol = {
  base: 'https://api.anthropic.com',
  path: '/v1/messages',
  server: { keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' } },
  body: ({ system, prompt, maxTokens }, { model, sendTemperature }) => ({
    model,
    system,
    messages: [{ role: 'user', content: prompt }],
    ...(sendTemperature ? { temperature: 0 } : {}),
    max_tokens: maxTokens ?? 2000,
  }),
  read: (answer) => {
    const { content, usage } = answer as MessageAnswer;
    return {
      text: content.map(({ text }) => text ?? '').join(''),
      usage: { input_tokens: usage?.input_tokens ?? 0, output_tokens: usage?.output_tokens ?? 0 },
    };
  },
};
