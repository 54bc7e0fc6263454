/** Messages of a language: the keys of the English ones, plural forms included. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translation<English[Key]>
}
