package platformtest

import "github.com/go-json-experiment/json/jsontext"

// The answers of the real program: the fields that it knows, in its order. Raw values are handed through as they came.

type runAnswer struct {
	ID             string         `json:"id"`
	Name           *string        `json:"name"`
	Status         string         `json:"status"`
	MetricNames    []string       `json:"metric_names"`
	TotalTargets   int            `json:"total_targets"`
	EvaluatedCount int            `json:"evaluated_count"`
	FailedCount    int            `json:"failed_count"`
	CreatedAt      string         `json:"created_at"`
	CompletedAt    *string        `json:"completed_at"`
	ProjectID      string         `json:"project_id"`
	TargetType     string         `json:"target_type"`
	Filters        jsontext.Value `json:"filters"`
	SamplingRate   float64        `json:"sampling_rate"`
	Model          *string        `json:"model"`
	MonitorID      *string        `json:"monitor_id"`
	ErrorMessage   *string        `json:"error_message"`
}

type sessionScore struct {
	ID           string         `json:"id"`
	SessionID    string         `json:"session_id"`
	ProjectID    string         `json:"project_id"`
	Name         string         `json:"name"`
	DataType     string         `json:"data_type"`
	Value        *string        `json:"value"`
	Source       string         `json:"source"`
	Status       string         `json:"status"`
	EvalRunID    *string        `json:"eval_run_id"`
	AuthorUserID *string        `json:"author_user_id"`
	Reason       *string        `json:"reason"`
	Metadata     jsontext.Value `json:"metadata"`
	CreatedAt    string         `json:"created_at"`
	UpdatedAt    string         `json:"updated_at"`
}

type traceScore struct {
	ID           string         `json:"id"`
	TraceID      string         `json:"trace_id"`
	Name         string         `json:"name"`
	Value        *string        `json:"value"`
	Status       string         `json:"status"`
	Source       string         `json:"source"`
	CreatedAt    string         `json:"created_at"`
	ProjectID    string         `json:"project_id"`
	DataType     string         `json:"data_type"`
	EvalRunID    *string        `json:"eval_run_id"`
	AuthorUserID *string        `json:"author_user_id"`
	Reason       *string        `json:"reason"`
	Environment  *string        `json:"environment"`
	ConfigID     *string        `json:"config_id"`
	Metadata     jsontext.Value `json:"metadata"`
	UpdatedAt    string         `json:"updated_at"`
}

type spanAnswer struct {
	SpanID              string         `json:"span_id"`
	TraceID             string         `json:"trace_id"`
	ParentSpanID        *string        `json:"parent_span_id"`
	Name                string         `json:"name"`
	Kind                string         `json:"kind"`
	Status              string         `json:"status"`
	Input               jsontext.Value `json:"input"`
	Output              jsontext.Value `json:"output"`
	Model               *string        `json:"model"`
	TokenUsage          jsontext.Value `json:"token_usage"`
	Metadata            jsontext.Value `json:"metadata"`
	StartedAt           string         `json:"started_at"`
	EndedAt             *string        `json:"ended_at"`
	Error               *string        `json:"error"`
	CompletionStartTime *string        `json:"completion_start_time"`
	ModelParameters     jsontext.Value `json:"model_parameters"`
	Cost                jsontext.Value `json:"cost"`
	LatencyMS           *float64       `json:"latency_ms"`
	TimeToFirstTokenMS  *float64       `json:"time_to_first_token_ms"`
}

type traceAnswer struct {
	TraceID     string         `json:"trace_id"`
	ProjectID   string         `json:"project_id"`
	Name        string         `json:"name"`
	Status      string         `json:"status"`
	Input       jsontext.Value `json:"input"`
	Output      jsontext.Value `json:"output"`
	Metadata    jsontext.Value `json:"metadata"`
	StartedAt   string         `json:"started_at"`
	EndedAt     *string        `json:"ended_at"`
	SessionID   *string        `json:"session_id"`
	UserID      *string        `json:"user_id"`
	Tags        []string       `json:"tags"`
	Environment *string        `json:"environment"`
	Release     *string        `json:"release"`
	Spans       []spanAnswer   `json:"spans"`
	TotalTokens int            `json:"total_tokens"`
	TotalCost   float64        `json:"total_cost"`
}

// listPage is a page as the platform sends it, pageAnswer as the program prints it.
type listPage[T any] struct {
	Items  []T `json:"items"`
	Total  int `json:"total"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}

type pageAnswer[T any] struct {
	Items      []T        `json:"items"`
	Pagination pagination `json:"pagination"`
}

type pagination struct {
	Total  int `json:"total"`
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
}

func (p listPage[T]) answer() pageAnswer[T] {
	items := p.Items
	if items == nil {
		items = []T{}
	}
	return pageAnswer[T]{items, pagination{p.Total, p.Limit, p.Offset}}
}
