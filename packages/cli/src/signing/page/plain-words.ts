/** Descriptions of abilities. Others are shown unchanged. */
const known: Readonly<Record<string, string>> = {
  '*': 'Everything',
  // The name of the registry follows.
  'auth/impersonate': 'Act as you at',
  'entities/*': 'Register, read and change entities',
  'entities/read': 'Read entities',
  'entities/write': 'Register and change entities',
}

/** Returns the description of an ability; undefined if unknown. */
export const abilityWords = (ability: string): string | undefined =>
  Object.hasOwn(known, ability) ? known[ability] : undefined

/** Returns the start and the end of a DID: `did:key:z6MkpTHR…vktH`. */
export const shortDid = (did: string): string => (did.length > 32 ? `${did.slice(0, 16)}…${did.slice(-4)}` : did)

/** Returns a span of time, rounded: `12 hours`, `45 minutes`, `3 days`. */
export const spanWords = (seconds: number): string => {
  const [size, name] = seconds >= 172_800 ? [86_400, 'day'] : seconds >= 5_400 ? [3_600, 'hour'] : [60, 'minute']
  const count = Math.max(1, Math.round(Number(seconds) / Number(size)))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** Formats a time in the locale of the user: `Sat, 21 Nov 2026, 22:40`. */
export const momentWords = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(undefined, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

/**
 * Returns a warning if the clocks of the computer and this phone differ by more than 10 minutes, with the real expiry.
 * A future start date makes a delegation look shorter than it is.
 *
 * @param from The start of the delegation by the clock of the computer; all three in seconds since 1970.
 * @param now By the clock of the phone.
 */
export const clockProblem = (from: number, until: number, now: number): string | undefined => {
  const apart = Math.abs(from - now)
  if (apart < 600) return undefined
  const end = until > now ? `ends in ${spanWords(until - now)}` : 'has already expired'
  return `The clocks of the computer and of this phone differ by ${spanWords(apart)}. By this phone it ${end}.`
}

/** Formats the remaining time: `4:12`. */
export const clockWords = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
