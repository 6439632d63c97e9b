import { describe, expect, it } from '@jest/globals';
import { linesOf } from '../ingest-markup/read-markup.js';

describe('secrets in code', () => {
  it.each([
    ['a.ts', 'const apiKey: string = "sk-hunter2222";\n', 'sk-hunter2222'],
    ['a.ts', 'const config = { password: `hunter2222`, host: "h" };\n', 'hunter2222'],
    ['a.go', 'apiKey := "sk-hunter2222"\n', 'sk-hunter2222'],
    ['a.rs', 'let api_key: &\'static str = "sk-hunter2222";\n', 'sk-hunter2222'],
    ['a.php', "<?php $c = ['password' => 'hunter2222'];\n", 'hunter2222'],
    ['a.rb', 'config = { :password => "hunter2222" }\n', 'hunter2222'],
    ['a.py', 'token = "it\'s \\" hunter2222"\nconnect("postgres://svc:hunter2222@db/x")\n', 'hunter2222'],
    ['a.sh', 'DB_PASSWORD="hunter2222"\n', 'hunter2222'],
    ['a.tf', 'password = "hunter2222"\n', 'hunter2222'],
    ['a.ts', 'const key = `-----BEGIN PRIVATE KEY-----\nMIIhunter2222\n-----END PRIVATE KEY-----`;\n', 'hunter2222'],
    ['a.py', 'KEY = "a"\npassword = """hunter2222"""\n', 'hunter2222'],
    ['a.py', 'api_key = os.environ.get("API_KEY", "hunter2222")\n', 'hunter2222'],
    ['a.py', 'api_key = os.getenv("API_KEY") or "hunter2222"\n', 'hunter2222'],
    ['a.js', "const secret = process.env.JWT_SECRET || 'hunter2222';\n", 'hunter2222'],
    ['a.js', 'const headers = { Authorization: `Bearer hunter2222hunter2222` };\n', 'hunter2222'],
    ['a.php', "<?php define('DB_PASSWORD', 'hunter2222');\n", 'hunter2222'],
    ['a.java', 'class A { void a() { source.setPassword("hunter2222"); } }\n', 'hunter2222'],
    ['a.java', 'Client a = builder().user("a").password("hunter2222").build();\n', 'hunter2222'],
    ['a.go', 'const apiKey string = "hunter2222"\n', 'hunter2222'],
    ['a.c', '#define WIFI_PASSWORD "hunter2222"\n', 'hunter2222'],
    ['a.c', 'const char password[] = "hunter2222";\n', 'hunter2222'],
    ['a.rs', 'const PASSWORD: &str = r#"hunter2222"#;\n', 'hunter2222'],
    ['a.r', 'password <- "hunter2222"\n', 'hunter2222'],
    ['a.rb', 'config.api_key ||= "hunter2222"\n', 'hunter2222'],
    ['a.sql', "CREATE USER svc IDENTIFIED BY 'hunter2222';\n", 'hunter2222'],
    ['a.sql', "ALTER ROLE svc WITH PASSWORD 'hunter2222';\n", 'hunter2222'],
    ['a.sh', 'export API_KEY=hunter2222\n', 'hunter2222'],
    ['a.sh', 'connect --user svc --password hunter2222\n', 'hunter2222'],
    ['a.ps1', 'Connect-Harbour -Password "hunter2222"\n', 'hunter2222'],
    ['a.py', '# password: hunter2222\n', 'hunter2222'],
    ['a.sh', 'cat > a.yaml <<EOF\ndatabase:\n  password: hunter2222\nEOF\n', 'hunter2222'],
    ['a.sh', 'cat > .env <<-"END"\n\tAPI_KEY=hunter2222\n\tEND\n', 'hunter2222'],
  ])('are left out: %s %s', async (name, written, secret) => {
    const read = (await linesOf(name, `// Opens the store.\n\n${written}`)).join('\n');
    expect(read).toContain('(a secret, left out)');
    expect(read).not.toContain(secret);
  });

  it.each([
    ['a.ts', 'const password = await ask("Password for the store");\nif (token === undefined) refuse();\n'],
    ['a.ts', "fetch(url, { credentials: 'same-origin' });\n"],
    ['a.ts', 'const rules = [{ token: "keyword.operator", regex: /[+-]/ }];\n'],
    ['a.ts', `const header = { token: \`\${token}\` };\n`],
    ['a.py', 'token = "\'", token[1:]\n'],
    ['a.java', 'class Names { static final String PASSWORD = "password"; }\n'],
    ['a.php', "<?php $rules = ['password' => 'required|min:8'];\n"],
    ['a.py', 'def connect(user, password=password1):\n    return open(user, token=token2)\n'],
    ['a.sh', 'PASSWORD=$1\nTOKEN="$(cat file)" run\nread -s PASSWORD\nrun --token "$TOKEN" --max-tokens 4000\n'],
    ['a.sh', 'cat <<EOF\npassword: $PASSWORD\nsecret: $(cat file)\ntoken: the one that is read\nEOF\n'],
    ['a.py', '# token: the token that is read\n# basic knowledge of harbours\n'],
    ['a.ts', 'expect(validated("password", value)).toBe(getSecret("berths"));\n'],
  ])('are not what code does with them: %s %s', async (name, written) => {
    expect((await linesOf(name, written)).join('\n')).not.toContain('a secret, left out');
  });
});
