/** Settings of a PostgreSQL session by name. */
export type SessionSettings = Readonly<Record<string, string>>

/**
 * Splits the session options of a URL into the settings that SQL can set (`-c name=value`, `--name=value`) and the rest,
 * which only a startup packet can carry.
 */
export const readSessionOptions = (options: string): { readonly settings: SessionSettings; readonly rest: string } => {
  const words = options.match(/(?:\\.|[^\s\\])+/gs) ?? []
  const settings: Record<string, string> = {}
  const rest: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const text = word === '-c' ? `-c${words[++index] ?? ''}` : word
    const [, name, value] = /^(?:-c|--)([\w.-]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined) rest.push(text)
    else settings[name.toLowerCase().replaceAll('-', '_')] = value.replace(/\\(.)/gs, '$1')
  }
  return { settings, rest: rest.join(' ') }
}

/**
 * Returns one statement that sets all of them and returns no rows. Poolers reject most settings as startup parameters, and
 * reset a session before they hand it to another connection.
 *
 * @param quote turns a text into an SQL literal
 * @param until the end of the session or of the transaction
 */
export const settingsQuery = (
  settings: SessionSettings,
  quote: (text: string) => string,
  until: 'session' | 'transaction' = 'session',
): string =>
  `select where ${Object.entries(settings)
    .map(([name, value]) => `set_config(${quote(name)}, ${quote(value)}, ${until === 'transaction'}) is null`)
    .join(' or ')}`
