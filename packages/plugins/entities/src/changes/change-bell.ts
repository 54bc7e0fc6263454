/** Tells followers of changes that there are new ones; what they are stands in the tables. */
export interface ChangeBell {
  /** Rings after a commit; never throws. */
  ring(): void
}
