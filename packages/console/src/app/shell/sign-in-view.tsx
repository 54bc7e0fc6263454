import { Alert, Anchor, Button, Center, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../api/problem.ts'
import { CommandHint } from '../components/command-hint.tsx'
import { Note } from '../components/note.tsx'
import { useConsole } from '../session/console-context.tsx'
import {
  beginSignIn,
  completeSignIn,
  dropOneTimeCode,
  isReturn,
  oneTimeCode,
  requestedScopes,
  signInWithCode,
} from '../session/oauth.ts'

/** The view before a user signed in. Completes a sign-in that the address returns from. */
export const SignInView = () => {
  const { t } = useTranslation()
  const { base, oracleName } = useConsole()
  const { failure, isWorking } = useReturn()
  const issuer = useQuery({
    queryKey: ['oauth metadata'],
    queryFn: async () => {
      const response = await fetch(new URL('.well-known/oauth-authorization-server', base.oracle))
      return response.ok ? ((await response.json()) as { readonly issuer: string }).issuer : null
    },
    retry: 1,
  })
  const begin = (scopes: readonly string[]) =>
    void beginSignIn(base, { scopes, returnTo: location.href.slice(base.console.length) })
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
          ) : (
            <>
              <Note>{t('signIn.explanation')}</Note>
              <Group>
                <Button onClick={() => begin(requestedScopes.user)}>{t('signIn.asUser')}</Button>
                <Button variant="default" onClick={() => begin(requestedScopes.operator)}>
                  {t('signIn.asOperator')}
                </Button>
              </Group>
              <CommandHint title={t('signIn.command')} commands={['npx sibyl console']} />
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}

/** Completes a sign-in: the return from the sign-in page, or a one-time code in the fragment of the address. */
const useReturn = (): { readonly failure: string | undefined; readonly isWorking: boolean } => {
  const { base, session } = useConsole()
  const [failure, setFailure] = useState<string>()
  const [isWorking, setWorking] = useState(() => isReturn(query()) || oneTimeCode() !== undefined)
  useEffect(() => {
    const code = oneTimeCode()
    const returned = query()
    if (code === undefined && !isReturn(returned)) return
    // The code leaves the address and the history before it is used.
    if (code === undefined) history.replaceState(null, '', base.console)
    else dropOneTimeCode()
    const work = async () => {
      if (code !== undefined) return session.start(await signInWithCode(base, code))
      const { tokens, returnTo } = await completeSignIn(base, returned)
      history.replaceState(null, '', base.console + returnTo)
      session.start(tokens)
    }
    work().catch((error: unknown) => {
      setFailure(messageOf(error))
      setWorking(false)
    })
  }, [base, session])
  return { failure, isWorking }
}

const query = (): URLSearchParams => new URLSearchParams(location.search)
