/**
 * The part of GitHub's GraphQL schema that is known here. Types, fields, arguments and values are as in
 * the official one, which has more of each.
 */
export const schemaText = /* GraphQL */ `
scalar BigInt
scalar DateTime
scalar GitObjectID
scalar URI

type Query {
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
  viewer: User!
}

interface Node {
  id: ID!
}

interface Actor {
  login: String!
  url: URI!
}

type User implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  url: URI!
}

type Bot implements Actor & Node {
  databaseId: Int
  id: ID!
  login: String!
  url: URI!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type Repository implements Node {
  autoMergeAllowed: Boolean!
  databaseId: Int
  defaultBranchRef: Ref
  deleteBranchOnMerge: Boolean!
  id: ID!
  isPrivate: Boolean!
  issue(number: Int!): Issue
  issues(after: String, before: String, filterBy: IssueFilters, first: Int, labels: [String!], last: Int, orderBy: IssueOrder, states: [IssueState!]): IssueConnection!
  labels(after: String, before: String, first: Int, last: Int): LabelConnection
  mergeCommitAllowed: Boolean!
  name: String!
  nameWithOwner: String!
  pullRequest(number: Int!): PullRequest
  pullRequests(after: String, baseRefName: String, before: String, first: Int, headRefName: String, labels: [String!], last: Int, orderBy: IssueOrder, states: [PullRequestState!]): PullRequestConnection!
  rebaseMergeAllowed: Boolean!
  ref(qualifiedName: String!): Ref
  squashMergeAllowed: Boolean!
  url: URI!
}

type BranchProtectionRule {
  requireLastPushApproval: Boolean!
}

type Ref implements Node {
  branchProtectionRule: BranchProtectionRule
  id: ID!
  name: String!
  refUpdateRule: RefUpdateRule
  target: GitObject
}

type RefUpdateRule {
  requiredApprovingReviewCount: Int
  requiredStatusCheckContexts: [String]
}

interface GitObject {
  id: ID!
  oid: GitObjectID!
}

type Commit implements GitObject & Node {
  id: ID!
  oid: GitObjectID!
  statusCheckRollup: StatusCheckRollup
}

type StatusCheckRollup implements Node {
  id: ID!
  state: StatusState!
}

enum StatusState {
  ERROR
  EXPECTED
  FAILURE
  PENDING
  SUCCESS
}

type Label implements Node {
  color: String!
  id: ID!
  name: String!
}

type LabelConnection {
  nodes: [Label]
  pageInfo: PageInfo!
  totalCount: Int!
}

type UserConnection {
  nodes: [User]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum OrderDirection {
  ASC
  DESC
}

enum IssueOrderField {
  COMMENTS
  CREATED_AT
  UPDATED_AT
}

input IssueOrder {
  direction: OrderDirection!
  field: IssueOrderField!
}

enum IssueState {
  CLOSED
  OPEN
}

enum IssueStateReason {
  COMPLETED
  DUPLICATE
  NOT_PLANNED
  REOPENED
}

input IssueFilters {
  assignee: String
  createdBy: String
  labels: [String!]
  since: DateTime
  states: [IssueState!]
}

type Issue implements Node {
  assignees(after: String, before: String, first: Int, last: Int): UserConnection!
  author: Actor
  body: String!
  closedAt: DateTime
  comments(after: String, before: String, first: Int, last: Int): IssueCommentConnection!
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  id: ID!
  labels(after: String, before: String, first: Int, last: Int): LabelConnection
  lastEditedAt: DateTime
  number: Int!
  state: IssueState!
  stateReason: IssueStateReason
  timelineItems(after: String, before: String, first: Int, itemTypes: [IssueTimelineItemsItemType!], last: Int): IssueTimelineItemsConnection!
  title: String!
  updatedAt: DateTime!
  url: URI!
}

enum IssueTimelineItemsItemType {
  LABELED_EVENT
  RENAMED_TITLE_EVENT
  UNLABELED_EVENT
}

type LabeledEvent implements Node {
  actor: Actor
  createdAt: DateTime!
  id: ID!
  label: Label!
}

type UnlabeledEvent implements Node {
  actor: Actor
  createdAt: DateTime!
  id: ID!
  label: Label!
}

type RenamedTitleEvent implements Node {
  actor: Actor
  createdAt: DateTime!
  currentTitle: String!
  id: ID!
  previousTitle: String!
}

union IssueTimelineItems = LabeledEvent | RenamedTitleEvent | UnlabeledEvent

type IssueTimelineItemsConnection {
  nodes: [IssueTimelineItems]
  pageInfo: PageInfo!
  totalCount: Int!
}

type IssueConnection {
  nodes: [Issue]
  pageInfo: PageInfo!
  totalCount: Int!
}

enum CommentAuthorAssociation {
  COLLABORATOR
  CONTRIBUTOR
  FIRST_TIMER
  FIRST_TIME_CONTRIBUTOR
  MANNEQUIN
  MEMBER
  NONE
  OWNER
}

type IssueComment implements Node {
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  createdAt: DateTime!
  databaseId: Int
  fullDatabaseId: BigInt
  id: ID!
  lastEditedAt: DateTime
  updatedAt: DateTime!
  url: URI!
}

type IssueCommentConnection {
  nodes: [IssueComment]
  pageInfo: PageInfo!
  totalCount: Int!
}
`
