type Issues = readonly { readonly path: PropertyKey[]; readonly message: string }[]

/** Returns the issues of a value, one a line. */
export const issueLines = (issues: Issues): string[] =>
  issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))

/** Returns the first five issues of a value in one line. */
export const describeIssues = (issues: Issues): string => issueLines(issues.slice(0, 5)).join('; ')
