import { Alert, Anchor, Button, Center, Group, Loader, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readBody } from '../api/api-client.ts'
import { pathBelow } from '../api/console-base.ts'
import { messageOf } from '../api/problem.ts'
import { withMembers } from '../api/with-members.ts'
import { CommandHint } from '../components/command-hint.tsx'
import { LanguageLinks } from '../components/language-links.tsx'
import { Note } from '../components/note.tsx'
import { useConsole } from '../session/console-context.tsx'
import {
  beginSignIn,
  completeSignIn,
  dropOneTimeCode,
  isAwaitedReturn,
  isReturn,
  isWholeCode,
  oneTimeCode,
  requestedScopes,
  signInWithCode,
} from '../session/oauth.ts'

const metadataSchema = withMembers<{ readonly issuer: string }>({ issuer: 'string' })

/** The view before a user signed in. Completes a sign-in that the address returns from. */
export const SignInView = () => {
  const { t } = useTranslation()
  const { base, oracleName, session } = useConsole()
  const { failure, isWorking, run } = useSigningIn()
  const [code, setCode] = useState(oneTimeCode)
  useEffect(dropOneTimeCode, [])
  const issuer = useQuery({
    queryKey: ['oauth metadata'],
    queryFn: async () => {
      const response = await fetch(new URL('.well-known/oauth-authorization-server', base.oracle))
      return response.ok ? readBody(response, await response.json(), metadataSchema).issuer : null
    },
    retry: 1,
  })
  const begin = (scopes: readonly string[]) => void beginSignIn(base, { scopes, returnTo: pathBelow(base) })
  const isElsewhere = typeof issuer.data === 'string' && !base.oracle.href.startsWith(issuer.data)
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" maw={440} w="100%">
        <Stack>
          <Title order={1}>{t('signIn.title', { oracle: oracleName })}</Title>
          {failure && (
            <Alert color="red" title={t('signIn.failed')} role="alert">
              {failure}
            </Alert>
          )}
          {isWorking ? (
            <Group role="status">
              <Loader size="sm" />
              <Text>{t('signIn.working')}</Text>
            </Group>
          ) : issuer.data === null ? (
            <Alert color="yellow" title={t('signIn.off')}>
              {t('signIn.offRemedy')}
            </Alert>
          ) : isElsewhere ? (
            <Alert color="yellow" title={t('signIn.elsewhere')}>
              <Anchor href={`${issuer.data}/console`}>{t('signIn.open', { address: `${issuer.data}/console` })}</Anchor>
            </Alert>
          ) : !isSecureContext ? (
            <>
              <Text fw={600}>{t('signIn.insecure')}</Text>
              <Note>{t('signIn.insecureRemedy', { host: location.hostname, port: location.port || 80 })}</Note>
            </>
          ) : code !== undefined ? (
            <CodeForm
              start={code}
              onSubmit={whole => run(async () => session.start(await signInWithCode(base, whole)))}
              onOther={() => setCode(undefined)}
            />
          ) : (
            <>
              <Note>{t('signIn.explanation')}</Note>
              <Group>
                <Button onClick={() => begin(requestedScopes.user)}>{t('signIn.asUser')}</Button>
                <Button variant="default" onClick={() => begin(requestedScopes.operator)}>
                  {t('signIn.asOperator')}
                </Button>
              </Group>
              <CommandHint isRemedy title={t('signIn.command')} commands={['npx sibyl console']} />
            </>
          )}
          <LanguageLinks />
        </Stack>
      </Paper>
    </Center>
  )
}

/**
 * Asks before a one-time code of the address signs in, and for its end if the address has a part: a stranger could have written the
 * address, and other accounts of a computer read those that programs open.
 */
const CodeForm = ({
  start,
  onSubmit,
  onOther,
}: {
  readonly start: string
  readonly onSubmit: (code: string) => void
  readonly onOther: () => void
}) => {
  const { t } = useTranslation()
  const [rest, setRest] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(start + rest)
  }
  const isWhole = isWholeCode(start)
  return (
    <form onSubmit={submit}>
      <Stack>
        <Note>{t(isWhole ? 'signIn.codeGiven' : 'signIn.codeStart')}</Note>
        {!isWhole && (
          <TextInput
            label={t('signIn.codeRest')}
            value={rest}
            onChange={event => setRest(event.currentTarget.value)}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={30}
            data-autofocus
          />
        )}
        <Group>
          <Button type="submit" disabled={!isWholeCode(start + rest)}>
            {t('signIn.withCode')}
          </Button>
          <Button variant="default" onClick={onOther}>
            {t('signIn.otherWay')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Signs in, and completes the return from the sign-in page. */
const useSigningIn = () => {
  const { base, session } = useConsole()
  const [failure, setFailure] = useState<string>()
  const [isWorking, setWorking] = useState(() => isAwaitedReturn(query()))
  const run = (work: () => Promise<void>) => {
    setFailure(undefined)
    setWorking(true)
    work().catch((error: unknown) => {
      setFailure(messageOf(error))
      setWorking(false)
    })
  }
  useEffect(() => {
    const returned = query()
    if (!isReturn(returned)) return
    const isAwaited = isAwaitedReturn(returned)
    // The code leaves the address and the history before it is used.
    history.replaceState(null, '', base.console)
    if (!isAwaited) return
    run(async () => {
      const { tokens, returnTo } = await completeSignIn(base, returned)
      history.replaceState(null, '', base.console + returnTo)
      session.start(tokens)
    })
  }, [])
  return { failure, isWorking, run }
}

const query = (): URLSearchParams => new URLSearchParams(location.search)
