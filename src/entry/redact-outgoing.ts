import type { Ports } from '../ports.ts'

/**
 * The ports with every text for people passed through the redactor: pull requests, comments, commit
 * messages, reports. What models and error messages say may hold a secret as well as test output,
 * which the sandbox redacts itself. Code is published as it is: a redacted file would be a broken one.
 */
export function redactOutgoing(ports: Ports, redact: (text: string) => string): Ports {
  const { forge, workspace, store } = ports
  return {
    ...ports,
    forge: {
      ...forge,
      upsertPullRequest: (draft) =>
        forge.upsertPullRequest({
          ...draft,
          title: redact(draft.title),
          body: redact(draft.body),
        }),
      upsertComment: (pullRequest, marker, body) =>
        forge.upsertComment(pullRequest, marker, redact(body)),
    },
    workspace: {
      ...workspace,
      commit: (request) => workspace.commit({ ...request, message: redact(request.message) }),
    },
    store: {
      ...store,
      writeReport: (name, text) => store.writeReport(name, redact(text)),
    },
  }
}
