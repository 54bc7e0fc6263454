/** Why a scenario does not pass, for those that do not. */
export const knownViolations: Readonly<Record<string, string>> = {
  'auth/2025-03-26-oauth-metadata-backcompat':
    "The scenario's authorization server calls itself by another address (`/oauth`) than the one its metadata is read " +
    'at (`/`). RFC 8414, section 3.3, forbids to use such metadata: it is how one server passes itself off as another. ' +
    'The SDK refuses it, and switching that check off would weaken every connection for servers of one revision of 2025.',
}
