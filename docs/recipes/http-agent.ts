// An agent that reaches a running service. Arguments: the service's address and an API key.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [address = 'http://127.0.0.1:8400', key = ''] = process.argv.slice(2);

const client = new Client(
  { name: 'http-agent', version: '1.0.0' },
  // The stateless revision where the service has it, a session where it does not.
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', address), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  }),
);

const { tools } = await client.listTools();
console.log(`${tools.length} tools`);

const select = await client.callTool({
  name: 'svc_learning_select',
  arguments: { learner: 'prompts', candidates: [{ id: 'short', token_cost: 50 }, { id: 'long', token_cost: 400 }], token_budget: 100 },
});
const { selected_arms } = select.structuredContent as { selected_arms: Array<{ id: string }> };
console.log(`selected ${selected_arms.map((arm) => arm.id).join(', ')}`);

await client.callTool({
  name: 'svc_learning_observe',
  arguments: { learner: 'prompts', arm_id: selected_arms[0]!.id, outcome: 'accepted' },
});
await client.close();
