import { z } from 'zod'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { requestOperator } from '../../oracle/request-operator.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { explainNoOauth } from './sign-in-client.ts'
import type { CodeOptions } from './sign-in-options.ts'

const created = z.object({ code: z.string(), did: z.string(), scopes: z.array(z.string()), expiresAt: z.string() })

/** Runs `sibyl sign-in code`: prints the code to standard output, and its properties to standard error. */
export const createCode = async (
  user: string,
  { scope, minutes, ...options }: CodeOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  const answer = await requestOperator(
    {
      method: 'POST',
      path: '/oauth/codes',
      body: {
        ...(/^did:[a-z0-9]+:\S+$/.test(user) ? { did: user } : { name: user }),
        ...(scope ? { scopes: [...scope] } : {}),
        ...(minutes === undefined ? {} : { minutes }),
      },
    },
    options,
    io,
  ).catch(error => {
    throw explainNoOauth(error)
  })
  const { code, did, scopes, expiresAt } = created.parse(answer)
  if (options.json) {
    writeJson(io, { code, did, scopes, expiresAt })
    return exitCode.done
  }
  io.stdout.write(`${cleanLine(code)}\n`)
  io.stderr.write(
    `Valid for one sign-in as ${cleanLine(did)} until ${cleanLine(expiresAt)}, with at most ${cleanLine(scopes.join(' '))}.\n`,
  )
  return exitCode.done
}
