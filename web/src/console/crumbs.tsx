/** Text as the service writes it, `Handbook > Parts > Beacon: Beacon is …`: headings faint, the last one strong. */
export function Content({ text }: { readonly text: string }) {
  const [path, body] = splitContent(text);
  if (path === '') return <>{body}</>;
  const at = path.lastIndexOf(' > ') + 1;
  return (
    <>
      {at > 0 && <span class="crumbs">{path.slice(0, at + 2)}</span>}
      <strong>{path.slice(at === 0 ? 0 : at + 2)}</strong>
      {body}
    </>
  );
}

/** The last of a path of headings, which says which passage it is. */
export function lastCrumb(path: string): string {
  return path.split(' > ').at(-1)!;
}

/** The title of a content; its first words where it has none. */
export function titleOf(content: string): string {
  const [path, body] = splitContent(content);
  return path === '' ? (body.length > 80 ? `${body.slice(0, 80)}…` : body) : lastCrumb(path);
}

const LONGEST_TITLE = 200;

/** `[name or headings, ': ' and the text]`; the first is empty where the content has no name. */
function splitContent(content: string): readonly [path: string, body: string] {
  const end = content.indexOf(': ');
  return end < 0 || end > LONGEST_TITLE ? ['', content] : [content.slice(0, end), content.slice(end)];
}
