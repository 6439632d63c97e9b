// An agent that starts the tools itself. Arguments: the command that starts them, `svc mcp-serve` by default.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command = 'svc', ...args] = process.argv.length > 2 ? process.argv.slice(2) : ['svc', 'mcp-serve'];

const client = new Client({ name: 'stdio-agent', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, env: process.env as Record<string, string> }));

const call = async (name: string, input: Record<string, unknown>) => {
  const answer = await client.callTool({ name, arguments: input });
  const [block] = answer.content as Array<{ text: string }>;
  if (answer.isError === true) throw new Error(block!.text);
  return JSON.parse(block!.text) as Record<string, unknown>;
};

await call('svc_ingest_text', {
  domain: 'handbook',
  name: 'caching',
  text: 'Redis answers reads of the shop. Always set a time to live on cache entries.',
});

// Ask before acting, use what helps, and say what helped.
const found = await call('svc_query', { context: 'How do we cache?', domains: ['handbook'], top_k: 3 });
const items = found.items as Array<{ id: string; content: string }>;
const rules = found.rules as Array<{ text: string }>;
console.log(items[0]?.content);
for (const rule of rules) console.log(`Rule: ${rule.text}`);
await call('svc_feedback', { query_id: found.query_id, outcomes: { [items[0]!.id]: 'accepted' }, source: 'stdio-agent' });

await client.close();
