/** The tables of this room. */
export interface QuestionTables {
  /** Replaced by the room's first table. */
  ussd_questions: { readonly id: string }
}
