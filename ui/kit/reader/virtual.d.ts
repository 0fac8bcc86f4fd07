/** A part of a catalogue in one language (`ui/vite/texts.ts`). */
declare module 'virtual:texts/*' {
  const texts: Record<string, string>;
  export default texts;
}
