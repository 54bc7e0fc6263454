/** What a registry shows of an oracle. */
export interface OracleProfile {
  readonly name: string
  /** What it is for, in one sentence. */
  readonly description: string
  /** What a conversation costs, in words: `free`, `0.10 IXO a question`. */
  readonly price: string
  /** The language model, as its provider names it; `offline` for the one that needs no network. */
  readonly model: string
}
