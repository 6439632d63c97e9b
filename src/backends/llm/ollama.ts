import type { LlmProtocol } from './protocol.js';

interface ChatAnswer {
  readonly message: { readonly content: string };
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
}

/** The chat of Ollama. */
export const ollama: LlmProtocol = {
  base: 'http://127.0.0.1:11434',
  path: '/api/chat',
  server: {},
  body: ({ system, prompt, schema, maxTokens }, { model, sendTemperature }) => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
    stream: false,
    options: { ...(sendTemperature ? { temperature: 0 } : {}), num_predict: maxTokens ?? 2000 },
    ...(schema === undefined ? {} : { format: schema }),
  }),
  read: (answer) => {
    const { message, prompt_eval_count, eval_count } = answer as ChatAnswer;
    return { text: message.content, usage: { input_tokens: prompt_eval_count ?? 0, output_tokens: eval_count ?? 0 } };
  },
};
