import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadView } from './failed-view.tsx'

/** Returns a part of a view that is loaded when it is drawn; a `Suspense` around it shows what is seen meanwhile. */
export const lazyPart = <Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => loadView(async () => ({ default: (await load())[name] })))
