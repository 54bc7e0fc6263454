import type { ColumnType } from 'kysely'

declare const jsonText: unique symbol

/** JSON as text, ready for a JSON column; made by `toJson`. */
export type JsonText = string & { readonly [jsonText]: true }

/**
 * The type of a JSON column in a tables interface: selected as `Value`, written with `toJson(value)`.
 * Write `JsonColumn<Value, null>` for a column that may be null.
 *
 * @example
 * interface NoteTable { id: string; tags: JsonColumn<string[]> }
 */
export type JsonColumn<Value, Nullable extends null = never> = ColumnType<
  Value | Nullable,
  JsonText | Nullable,
  JsonText | Nullable
>

/**
 * Makes the text that a JSON column takes. It is explicit because a string, a number or null may be meant as JSON or not.
 *
 * @param value anything that `JSON.stringify` gives a text for
 * @throws TypeError when it gives none, as for undefined and functions
 * @example
 * await storage.write(tx => tx.insertInto('notes').values({ id, tags: toJson(['a', 'b']) }).execute())
 */
export const toJson = (value: unknown): JsonText => {
  const text = JSON.stringify(value)
  if (text === undefined)
    throw new TypeError(`toJson received ${typeof value}, which JSON does not support. Pass null instead.`)
  return text as JsonText
}
