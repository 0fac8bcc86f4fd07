const NAME = /^[\p{L}\p{N}.-]+\.[\p{L}\p{N}-]+$/u;

/** Returns a cell as a hyperlink (OSC 8) to the site of the name that it shows; unchanged where that is no name. Its padding stays outside. */
export function hyperlink(text: string, name: string): string {
  const shown = text.trimEnd();
  if (!NAME.test(name)) return text;
  return `\u001B]8;;https://${name}/\u0007${shown}\u001B]8;;\u0007${text.slice(shown.length)}`;
}
