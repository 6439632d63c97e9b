import type { LlmProtocol } from './protocol.js';

interface Completion {
  readonly choices: ReadonlyArray<{ readonly message: { readonly content: string | null } }>;
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

/** The chat completions of OpenAI, and of every server that speaks them. */
export const openai: LlmProtocol = {
  base: 'https://api.openai.com',
  path: '/v1/chat/completions',
  versionInBase: true,
  server: {},
  body: ({ system, prompt, schema, maxTokens }, { model, sendTemperature, tokenLimit }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    ...(sendTemperature ? { temperature: 0 } : {}),
    ...(tokenLimit === 'none' ? {} : { [tokenLimit]: maxTokens ?? 2000 }),
    ...(schema === undefined ? {} : { response_format: { type: 'json_object' } }),
  }),
  read: (answer) => {
    const { choices, usage } = answer as Completion;
    return {
      text: choices[0]!.message.content ?? '',
      usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
    };
  },
};
