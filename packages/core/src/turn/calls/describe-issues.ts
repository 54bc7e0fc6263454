/** Returns the issues of a value in one line. */
export const describeIssues = (issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]): string =>
  issues
    .slice(0, 5)
    .map(issue => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ')
