/** Returns the texts of a URL's search by name; other values and names are left out. */
export const readTexts = <Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = search[name]
      const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
      return text === '' ? [] : [[name, text.slice(0, 500)]]
    }),
  ) as { readonly [Key in Name]?: string }

/** Returns the value if it is one of some. */
export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find(one => one === value)
