/** Returns a function that makes something once for each language: patterns take milliseconds to compile. */
export function byLanguage<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    let known = made.get(language);
    if (known === undefined) {
      known = make(language);
      made.set(language, known);
    }
    return known;
  };
}
