interface EnvLine {
  readonly name: string
  readonly line: number
}

interface EnvLines {
  readonly set: readonly EnvLine[]
  /** Lines that are neither empty, nor comments, nor assignments. */
  readonly unread: readonly number[]
}

/** Reads which lines of an `.env` set which variables. A quoted value may span several lines. */
export const readEnvLines = (text: string): EnvLines => {
  const set: EnvLine[] = []
  const unread: number[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (let place = 0; place < lines.length; place += 1) {
    const line = lines[place] ?? ''
    const [, name, value = ''] = /^\s*(?:export\s+)?([^\s#=][^=]*?)\s*=\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      set.push({ name, line: place + 1 })
      place += linesBehind(value, lines.slice(place + 1))
    } else if (!/^\s*(#|$)/.test(line)) unread.push(place + 1)
  }
  return { set, unread }
}

/** Returns the number of further lines of a value, up to the closing quote. */
const linesBehind = (value: string, following: readonly string[]): number => {
  const [quote = ''] = value
  if (!['"', "'", '`'].includes(quote) || value.includes(quote, 1)) return 0
  return following.findIndex(line => line.includes(quote)) + 1
}
