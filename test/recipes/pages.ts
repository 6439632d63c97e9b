import { readFileSync } from 'node:fs';

/** A command as a page shows it, and what the page says comes of it. */
export interface PageCommand {
  readonly command: string;
  readonly code: number;
}

/** Returns the commands of a page's shell blocks in order: without comments, lines that continue as one. */
export function commandsOf(page: string): PageCommand[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(bash|sh|shell|console)\n([\s\S]*?)^```/gm);
  return [...blocks].flatMap(([, kind, text = '']) => (kind === 'console' ? transcript(text) : script(text)));
}

function script(text: string): PageCommand[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  const commands = lines.map((line) => line.replace(/(^|\s)#\s.*$/, '').trim());
  return commands.filter((command) => command !== '').map((command) => ({ command, code: 0 }));
}

/** Of a transcript: each line after `$ `, with the exit code that is written under its output. */
function transcript(text: string): PageCommand[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = ''] = part.split('\n');
      return { command, code: Number(/^\(exit code (\d)\)$/m.exec(part)?.[1] ?? 0) };
    });
}
