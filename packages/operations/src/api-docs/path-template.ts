/** A path in the form of OpenAPI, with its parameters. */
export interface PathTemplate {
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    /** The accepted values of the route, as a regular expression of JSON Schema. */
    readonly pattern?: string
  }[]
}

const parameter = /^(?:\{([a-z]\w*)\}|:([a-z]\w*)|[:{]([a-z]\w*)\{(\.\+|\[[\w-]+\]\+)\}\}?)$/i

/**
 * Reads the path of a route: parameters `{name}`, `:name`, `{name{[0-9]+}}` become `{name}`.
 *
 * @example
 * pathTemplate('/tides/:port/{day{[0-9]+}}').path // '/tides/{port}/{day}'
 */
export const pathTemplate = (routePath: string): PathTemplate => {
  const parameters: { name: string; pattern?: string }[] = []
  const path = routePath
    .split('/')
    .map(segment => {
      const match = parameter.exec(segment)
      if (!match) return segment
      const [, braced, colon, formed, form] = match
      const name = (braced ?? colon ?? formed)!
      parameters.push({ name, ...(form === undefined ? {} : { pattern: `^${form}$` }) })
      return `{${name}}`
    })
    .join('/')
  return { path, parameters }
}
