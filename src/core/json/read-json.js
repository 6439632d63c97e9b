const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

/** Returns a value of JSON, numbers that JavaScript would write otherwise as the texts that they are. @param {string} json @returns {unknown} */
export function readJson(json) {
  const value = JSON.parse(json);
  try {
    const kept = json.replace(STRING_OR_NUMBER, (token) =>
      token[0] === '"' || String(Number(token)) === token ? token : `"${token}"`,
    );
    return kept === json ? value : JSON.parse(kept);
  } catch (error) {
    // A text of millions of escapes is more than the expression takes.
    if (error instanceof RangeError) return value;
    throw error;
  }
}
