/** A place in the order of all changes: by the transaction that wrote them, and in it by their number. */
export interface ChangePosition {
  readonly transaction: number
  readonly sequence: number
}

/** Before the first change. */
export const firstPosition: ChangePosition = { transaction: 0, sequence: 0 }

/** A position as the id of an event: `0-17`. */
export const positionText = ({ transaction, sequence }: ChangePosition): string => `${transaction}-${sequence}`

/** Reads the id of an event; undefined for every other text. */
export const parsePosition = (text: string): ChangePosition | undefined => {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text)
  return match ? { transaction: Number(match[1]), sequence: Number(match[2]) } : undefined
}

/** Whether one position is behind another. */
export const isAfter = (one: ChangePosition, other: ChangePosition): boolean =>
  one.transaction > other.transaction || (one.transaction === other.transaction && one.sequence > other.sequence)
