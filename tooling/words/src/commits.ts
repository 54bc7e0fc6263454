import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'

/** The newest commit that is older than the check. */
const lastUnchecked = '87e45211086d494ee9d7f2f1a9fd4329f32d1c54'
const maxLength = 72

/** A commit, as far as its rules need it. */
export interface Commit {
  readonly hash: string
  readonly subject: string
  readonly isMerge: boolean
}

/** The commits to check, or the reason why there are none. */
export type FoundCommits = { readonly commits: readonly Commit[] } | { readonly skipped: string }

/**
 * Reads the commits after the recorded one. A shallow clone without that commit gives all commits that it has.
 *
 * @param root The folder of the checkout.
 */
export const readCommits = (root: string, after = lastUnchecked): FoundCommits => {
  const git = (...args: string[]) => runGit(root, args)
  const top = git('rev-parse', '--show-toplevel')
  if (top === undefined || realpathSync(top) !== realpathSync(root)) {
    return { skipped: 'There is no git history here, as in an unpacked archive.' }
  }
  const isKnown = git('merge-base', '--is-ancestor', after, 'HEAD') !== undefined
  if (!isKnown && git('rev-parse', '--is-shallow-repository') !== 'true') {
    return { skipped: `The history does not contain ${after}, the last commit without this check.` }
  }
  const log = git('log', '--format=%h%x09%P%x09%s', isKnown ? `${after}..HEAD` : 'HEAD') ?? ''
  const lines = log === '' ? [] : log.split('\n')
  const commits = lines.map(line => {
    const [hash = '', parents = '', ...subject] = line.split('\t')
    return { hash, isMerge: parents.includes(' '), subject: subject.join('\t') }
  })
  return { commits: commits.filter(({ subject }) => !isTestMerge.test(subject)) }
}

/** The commit in which GitHub tests a pull request; it never becomes part of a branch. */
const isTestMerge = /^Merge [0-9a-f]{40} into [0-9a-f]{40}$/

/**
 * Checks that a commit is no merge, and that its subject is an imperative of at most 72 characters.
 *
 * @returns One sentence for each violation.
 */
export const checkCommit = ({ hash, subject, isMerge }: Commit): string[] => {
  const rules: readonly (readonly [boolean, string])[] = [
    [!isMerge, 'is a merge. Rebase the branch instead'],
    [subject.length <= maxLength, `has ${subject.length} characters. Use at most ${maxLength}`],
    [isImperative(subject), 'is no imperative. Start with a verb, such as "Add" or "Fix"'],
    [!isEmptyPhrase.test(subject), 'does not state the change. Name what changed in the code'],
    [!subject.endsWith('.'), 'ends with a period. Remove it'],
  ]
  return rules.flatMap(([holds, problem]) => (holds ? [] : [`${hash} "${subject}" ${problem}.`]))
}

const isEmptyPhrase = /^(?:read again\b|(?:words|format|fixes|fix tests?|wip)$)/i
const notVerbs =
  /^(?:the|an?|of|there|where|what|which|when|how|who|if|it|its|this|that|no|every|each|all|after|in|on|with)$/i
/** Verbs that end like another form. */
const verbs = /^(?:focus|alias|bias|embed|feed|seed|need|speed|shed|bring|ring|ping|string)$/i

/** Recognizes other forms by the first words: "Adds", "Added", "Adding", "The tests", "Tests are". */
const isImperative = (subject: string): boolean => {
  const [first = '', second = '', third = ''] = subject.split(/[\s:]+/)
  if (!/^[A-Z]/.test(first) || notVerbs.test(first)) return false
  if ([second, third].some(word => /^(?:is|are|was|were)$/.test(word))) return false
  return verbs.test(first) || !/(?:[^s]s|ed|ing)$/.test(first)
}

const runGit = (cwd: string, args: readonly string[]): string | undefined => {
  // Git sets GIT_DIR and others in hooks, which would select another repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
  try {
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
