/** One way to find facts, filled with those of two people. */
export interface Finder {
  readonly name: string
  /** The texts of the five that fit a question of the first person best. */
  find(question: string): Promise<readonly string[]>
}
