import type { EnvVariable } from '@sibyl/core'

interface EnvSection {
  readonly title: string
  /** Each with its comment, without an empty line. */
  readonly entries: readonly string[]
}

/** Renders an `.env`: its heading, then section by section. */
export const renderEnvSections = (heading: string, sections: readonly EnvSection[]): string =>
  `${[heading, ...sections.filter(({ entries }) => entries.length > 0).map(render)].join('\n\n')}\n`

const render = ({ title, entries }: EnvSection): string => `## ${title}\n\n${entries.join('\n\n')}`

/** Sections of variables that are not set, one for each owner. */
export const unsetByOwner = (variables: readonly EnvVariable[]): EnvSection[] =>
  [...Map.groupBy(variables, ({ owner }) => owner)].map(([owner, own]) => ({
    title: titleOf(owner),
    entries: own.map(unsetEntry),
  }))

const titleOf = (owner: string): string =>
  owner === 'core' ? 'The oracle' : owner === 'sibyl' ? 'The sibyl command' : `Plugin ${owner}`

/** Renders a variable that is commented out: its description, accepted values and an example. */
export const unsetEntry = ({
  name,
  description,
  takes,
  need,
  secret,
  default: usual,
  example,
}: EnvVariable): string => {
  const facts = [
    takes === 'text' ? '' : takes,
    need === 'optional' ? '' : need,
    usual === undefined ? '' : `default: ${usual}`,
  ].filter(Boolean)
  const value = secret ? '' : (example ?? (takes === 'text' ? '' : usual) ?? '')
  return [
    `# ${asSentence(description)}`,
    ...(facts.length > 0 ? [`# ${facts.join('; ')}`] : []),
    `# ${name}=${value}`,
  ].join('\n')
}

/** Renders a variable that is set, below its description. @param value as it stands behind `NAME=` */
export const setEntry = (name: string, description: string, value: string): string =>
  `# ${asSentence(description)}\n${name}=${value}`

const asSentence = (words: string): string => (words.endsWith('.') ? words : `${words}.`)
