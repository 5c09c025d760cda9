/** What of GitHub's GraphQL schema is about pull requests. */
export const pullSchemaText = /* GraphQL */ `
enum PullRequestState {
  CLOSED
  MERGED
  OPEN
}

enum MergeableState {
  CONFLICTING
  MERGEABLE
  UNKNOWN
}

enum MergeStateStatus {
  BEHIND
  BLOCKED
  CLEAN
  DIRTY
  DRAFT
  HAS_HOOKS
  UNKNOWN
  UNSTABLE
}

enum PullRequestReviewDecision {
  APPROVED
  CHANGES_REQUESTED
  REVIEW_REQUIRED
}

enum PullRequestMergeMethod {
  MERGE
  REBASE
  SQUASH
}

enum PullRequestReviewState {
  APPROVED
  CHANGES_REQUESTED
  COMMENTED
  DISMISSED
  PENDING
}

enum DiffSide {
  LEFT
  RIGHT
}

type AutoMergeRequest {
  commitBody: String
  commitHeadline: String
  enabledAt: DateTime
  enabledBy: Actor
  mergeMethod: PullRequestMergeMethod!
}

type PullRequest implements Node {
  assignees(after: String, before: String, first: Int, last: Int): UserConnection!
  author: Actor
  autoMergeRequest: AutoMergeRequest
  baseRefName: String!
  baseRefOid: GitObjectID!
  body: String!
  closedAt: DateTime
  comments(after: String, before: String, first: Int, last: Int): IssueCommentConnection!
  commits(after: String, before: String, first: Int, last: Int): PullRequestCommitConnection!
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  headRef: Ref
  headRefName: String!
  headRefOid: GitObjectID!
  id: ID!
  isCrossRepository: Boolean!
  isDraft: Boolean!
  labels(after: String, before: String, first: Int, last: Int): LabelConnection
  lastEditedAt: DateTime
  mergeCommit: Commit
  mergeStateStatus: MergeStateStatus!
  mergeable: MergeableState!
  merged: Boolean!
  mergedAt: DateTime
  mergedBy: Actor
  number: Int!
  reviewDecision: PullRequestReviewDecision
  reviewThreads(after: String, before: String, first: Int, last: Int): PullRequestReviewThreadConnection!
  reviews(after: String, author: String, before: String, first: Int, last: Int, states: [PullRequestReviewState!]): PullRequestReviewConnection
  state: PullRequestState!
  title: String!
  updatedAt: DateTime!
  url: URI!
}

type PullRequestConnection {
  nodes: [PullRequest]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestCommit implements Node {
  commit: Commit!
  id: ID!
}

type PullRequestCommitConnection {
  nodes: [PullRequestCommit]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestReview implements Node {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  commit: Commit
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  id: ID!
  lastEditedAt: DateTime
  state: PullRequestReviewState!
  submittedAt: DateTime
  updatedAt: DateTime!
  url: URI!
}

type PullRequestReviewConnection {
  nodes: [PullRequestReview]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestReviewThread implements Node {
  comments(after: String, before: String, first: Int, last: Int): PullRequestReviewCommentConnection!
  diffSide: DiffSide!
  id: ID!
  isOutdated: Boolean!
  isResolved: Boolean!
  line: Int
  originalLine: Int
  originalStartLine: Int
  path: String!
  resolvedBy: User
  startLine: Int
}

type PullRequestReviewThreadConnection {
  nodes: [PullRequestReviewThread]
  pageInfo: PageInfo!
  totalCount: Int!
}

type PullRequestReviewComment implements Node {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  commit: Commit
  createdAt: DateTime!
  databaseId: Int
  diffHunk: String!
  fullDatabaseId: BigInt
  id: ID!
  lastEditedAt: DateTime
  line: Int
  originalCommit: Commit
  originalLine: Int
  outdated: Boolean!
  path: String!
  publishedAt: DateTime
  pullRequestReview: PullRequestReview
  replyTo: PullRequestReviewComment
  updatedAt: DateTime!
  url: URI!
}

type PullRequestReviewCommentConnection {
  nodes: [PullRequestReviewComment]
  pageInfo: PageInfo!
  totalCount: Int!
}
`
