const uuids = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g

/** A text without its random ids (UUIDs), in which short digits that are looked for stand by chance. */
export const withoutIds = (text: string): string => text.replaceAll(uuids, '')

/** Finds digits as they were written, and not in the middle of a longer number. @param digits such as a PIN */
export const standingAlone = (digits: string): RegExp => new RegExp(`(?<![\\d.])${digits}(?!\\d)`)
