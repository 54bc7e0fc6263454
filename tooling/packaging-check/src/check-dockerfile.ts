import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'

/** The rules for a Dockerfile. */
export interface DockerfileContext {
  /** Whether a path of the build context is there. */
  exists(path: string): boolean
  /** The versions that the workspace is built and tested with, by image or command. */
  readonly versions: Readonly<Record<string, string>>
}

/** A pattern of one name, such as `mcp.jso[n]`: Docker copies it where it is there. */
const optional = /\[\w\]$/

/**
 * Checks a Dockerfile: valid syntax, exact versions of every image and tool, no root user, PID 1 is the program itself,
 * it has a health check, and no layer contains a secret.
 *
 * @returns One sentence per error, with its line.
 */
export const checkDockerfile = (text: string, { exists, versions }: DockerfileContext): string[] => {
  const file = DockerfileParser.parse(text)
  const instructions = file.getInstructions().map(instruction => ({
    keyword: instruction.getKeyword(),
    words: instruction.getTextContent().replace(/^\S+/, '').replaceAll('\\\n', ' ').trim(),
    line: instruction.getRange().start.line + 1,
  }))
  const last = (keyword: string) => instructions.filter(one => one.keyword === keyword).at(-1)
  const stages = new Set(file.getFROMs().map(from => from.getBuildStage()))
  const violations: string[] = validate(text).map(({ message, range }) => `Line ${range.start.line + 1}: ${message}`)
  const demand = (holds: boolean, line: number | undefined, message: string) => {
    if (!holds) violations.push(line === undefined ? message : `Line ${line}: ${message}`)
  }

  for (const { keyword, words, line } of instructions) {
    if (keyword === 'FROM') {
      const [image = ''] = words.split(/\s/)
      const [name = '', tag = ''] = image.split(':')
      const version = /^\d+\.\d+\.\d+/.exec(tag)?.[0]
      demand(version !== undefined || stages.has(image), line, `${image} has no whole version.`)
      demand(!versions[name] || version === versions[name], line, `${name} is not ${versions[name]}, as elsewhere.`)
    }
    if (keyword === 'RUN') {
      for (const [, name = '', version = ''] of words.matchAll(/\bnpm install [^&|;]*?(\S+)@(\S+)/g)) {
        demand(version === versions[name], line, `${name} is not ${versions[name]}, as elsewhere.`)
      }
      demand(!/\b(curl|wget|apt-get|apk)\b/.test(words), line, 'something is fetched that no lock file names.')
    }
    if (keyword === 'ENV' || keyword === 'ARG') {
      demand(!/\w*(KEY|TOKEN|SECRET|PASSWORD|MNEMONIC)\w*/.test(words), line, 'a layer would hold a secret.')
    }
    if (keyword === 'COPY' && !words.includes('--from=')) {
      const paths = words.split(/\s+/).slice(0, -1)
      const missing = paths.find(path => !optional.test(path) && !exists(path))
      demand(!paths.every(path => optional.test(path)), line, 'all that is copied may be missing.')
      demand(missing === undefined, line, `${missing} is not in the build context.`)
    }
    if (keyword === 'ADD') violations.push(`Line ${line}: ADD may fetch and unpack. Use COPY.`)
  }
  const user = last('USER')
  const final = last('FROM')?.line ?? 0
  demand(
    /^[1-9]\d*(:[1-9]\d*)?$/.test(user?.words ?? '') && user!.line > final,
    user?.line,
    'the user is not a number above 0.',
  )
  const command = last('CMD')
  demand(/^\["node", /.test(command?.words ?? ''), command?.line, 'CMD is not node itself in the form of a list.')
  const health = last('HEALTHCHECK')
  demand(
    /CMD \["node", .*\/health/s.test(health?.words ?? ''),
    health?.line,
    'HEALTHCHECK does not ask /health by node.',
  )
  return violations
}
