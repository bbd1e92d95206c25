declare module '*.toml' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
