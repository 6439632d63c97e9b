// Gives a Mastra agent the tools. Needs Node 22.13 and `npm install @mastra/mcp@2.0.0`. Arguments: the service's address and, if it
// asks for one, an API key.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.log(`skipped: Mastra needs Node 22.13, this is ${process.versions.node}`);
  process.exit(0);
}

interface McpClient {
  listTools(): Promise<Record<string, { execute?: (input: unknown, context?: unknown) => Promise<unknown> }>>;
  disconnect(): Promise<void>;
}
type McpClientClass = new (options: {
  servers: Record<string, { url: URL; requestInit?: RequestInit }>;
}) => McpClient;

const name = '@mastra/mcp';
const mastra = await (import(name) as Promise<{ MCPClient: McpClientClass }>).catch(() => null);
if (mastra === null) {
  console.log('skipped: @mastra/mcp is not installed (npm install @mastra/mcp@2.0.0)');
  process.exit(0);
}

const [address = 'http://127.0.0.1:8400', key = ''] = process.argv.slice(2);
const client = new mastra.MCPClient({
  servers: { knowledge: { url: new URL('/mcp', address), requestInit: { headers: { Authorization: `Bearer ${key}` } } } },
});
// Pass these to `new Agent({ tools })`.
const tools = await client.listTools();
console.log(`${Object.keys(tools).length} tools`);
await client.disconnect();
