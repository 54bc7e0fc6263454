/** Rules of a site's robots.txt (RFC 9309). */
export interface RobotsRules {
  /** @param path path and query of an address */
  allows(path: string): boolean
  /** Seconds between two requests, if requested (`Crawl-delay`, which is not in the standard). */
  readonly crawlDelay: number | undefined
}

interface Rule {
  readonly isAllow: boolean
  readonly pattern: string
}

interface Group {
  readonly rules: Rule[]
  crawlDelay: number | undefined
}

/** Maximum number of rules of a site. */
const maxRules = 5_000
const maxPattern = 1_000

/** Maximum size of a file, in bytes (RFC 9309 §2.5). */
export const maxRobotsBytes = 512_000

/** Rules that allow everything. */
export const allowAll: RobotsRules = { allows: () => true, crawlDelay: undefined }

/**
 * Parses the part of a robots.txt that applies to a robot.
 *
 * @param robot its product token, such as `SibylBot`
 */
export const readRobots = (text: string, robot: string): RobotsRules => {
  const own: Group = { rules: [], crawlDelay: undefined }
  const general: Group = { rules: [], crawlDelay: undefined }
  let isNamed = false
  let current: readonly Group[] = []
  let isNaming = false
  let count = 0
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [text = ''] = line.slice(0, 2_000).split('#', 1)
    const [key = ''] = text.split(':', 1)
    const value = text.slice(key.length + 1).trim()
    switch (key.trim().toLowerCase()) {
      case 'user-agent': {
        const token = /^[A-Za-z_-]+|^\*/.exec(value)?.[0].toLowerCase()
        const group = token === robot.toLowerCase() ? own : token === '*' ? general : undefined
        if (group === own) isNamed = true
        current = [...(isNaming ? current : []), ...(group ? [group] : [])]
        isNaming = true
        continue
      }
      case 'allow':
      case 'disallow':
        if (value !== '' && current.length > 0 && count < maxRules) {
          count += 1
          const rule = { isAllow: key.trim().toLowerCase() === 'allow', pattern: encoded(value.slice(0, maxPattern)) }
          for (const group of current) group.rules.push(rule)
        }
        break
      case 'crawl-delay': {
        const seconds = Number(value)
        if (Number.isFinite(seconds) && seconds >= 0) for (const group of current) group.crawlDelay ??= seconds
        break
      }
      default:
        continue
    }
    isNaming = false
  }
  const { rules, crawlDelay } = isNamed ? own : general
  return { allows: path => isAllowed(rules, encoded(path)), crawlDelay }
}

/** The longest matching rule applies; of two with the same length, the one that allows. */
const isAllowed = (rules: readonly Rule[], path: string): boolean => {
  if (path === '/robots.txt') return true
  let best: Rule | undefined
  for (const rule of rules) {
    const longer = rule.pattern.length - (best?.pattern.length ?? -1)
    if ((longer > 0 || (longer === 0 && rule.isAllow)) && fits(rule.pattern, path)) best = rule
  }
  return best?.isAllow ?? true
}

/**
 * `*` matches anything, a `$` at the end matches the end. Each piece is searched once, so that no pattern takes long.
 */
const fits = (pattern: string, path: string): boolean => {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = pieces.pop()
  if (last === undefined) return !isWhole || at === path.length
  for (const piece of pieces) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) >= 0
}

/** Returns the normal encoding of a path: only characters that need it are encoded (RFC 9309 §2.2.2). */
const encoded = (path: string): string =>
  path
    .replaceAll(/%[0-9a-f]{2}/gi, code => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase()
    })
    .replaceAll(/[^\x21-\x7e]+/gu, text => encodeURIComponent(text.toWellFormed()))
