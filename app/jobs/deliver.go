package jobs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"errand/host/jobs"
	"errand/planner/message"
)

// SignatureHeader has the signature of a callback, and DeliveryHeader the id of its job, by which a
// client recognises one that comes twice.
const (
	SignatureHeader = "X-Errand-Signature"
	DeliveryHeader  = "X-Errand-Delivery"
)

// callback is the body of a callback.
type callback struct {
	SessionID string       `json:"session_id"`
	JobID     string       `json:"job_id"`
	Status    string       `json:"status"` // completed or failed
	Data      callbackData `json:"data"`
}

type callbackData struct {
	RunID      string         `json:"run_id"`
	Response   string         `json:"response"`
	StopReason string         `json:"stop_reason"`
	Steps      int            `json:"steps"`
	WallTimeMS int64          `json:"wall_time_ms"`
	Error      *callbackError `json:"error,omitempty"`
}

type callbackError struct {
	Class   string `json:"class"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// deliver sends the end of a job to the address that its client named.
func (s *Service) deliver(ctx context.Context, j jobs.Job) error {
	t, err := s.o.Queue.Token(ctx, j.TokenID)
	if err != nil {
		return err
	}
	if !t.RevokedAt.IsZero() {
		return message.Error("jobs.token_revoked")
	}
	if err := s.o.Reader.CheckCallback(j.CallbackURL); err != nil {
		return s.o.Reader.CleanError(err)
	}
	client, err := s.o.Reader.CallbackClient()
	if err != nil {
		return err
	}
	body, err := json.Marshal(s.callbackOf(j))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, j.CallbackURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(DeliveryHeader, j.ID)
	request.Header.Set(SignatureHeader, sign(t.Signing, s.o.Now(), body))
	response, err := client.Do(request)
	if err != nil {
		return s.o.Reader.CleanError(err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return message.Error("jobs.callback_refused", "status", response.StatusCode)
	}
	return nil
}

func (s *Service) callbackOf(j jobs.Job) callback {
	o := readOutcome(j)
	c := callback{SessionID: j.SessionID, JobID: j.ID, Status: "failed", Data: callbackData{
		Response: s.o.Text(o.Answer), StopReason: string(o.StopReason), Steps: o.Steps, WallTimeMS: o.WallTimeMS,
	}}
	if j.Status == jobs.Done {
		c.Status = "completed"
	}
	if o.Begun {
		c.Data.RunID = j.ID
	}
	if o.Error != nil {
		c.Data.Error = &callbackError{string(o.Error.Class), o.Error.Code, s.o.Text(o.Error.Message)}
	}
	return c
}

// sign returns the signature of a body: t is the time in seconds, and v1 the HMAC-SHA256 of the time,
// a dot and the body, with the token's signing secret.
func sign(secret string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	return fmt.Sprintf("t=%s,v1=%s", seconds, hex.EncodeToString(mac.Sum(nil)))
}
