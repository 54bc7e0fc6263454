/** Whether `If-None-Match` names a state (RFC 9110 §13.1.2): strong and weak tags count alike, `*` is any. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag))
