const uuids = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g

/** Returns a text without its random IDs (UUIDs), which can contain the tested digits by chance. */
export const withoutIds = (text: string): string => text.replaceAll(uuids, '')

/** Returns a pattern for digits that are not part of a longer number. @param digits such as a PIN */
export const standingAlone = (digits: string): RegExp => new RegExp(`(?<![\\d.])${digits}(?!\\d)`)
