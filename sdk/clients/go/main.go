package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	climate "sdk/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func lines(text string) []string {
	return strings.Fields(text)
}

func main() {
	configuration := climate.NewConfiguration()
	configuration.Servers = climate.ServerConfigurations{{URL: os.Getenv("SDK_SERVER")}}
	api := climate.NewAPIClient(configuration)
	ctx := context.Background()

	overview, _, err := api.SearchAPI.GetOverview(ctx).Execute()
	must(overview, err)
	files, _, err := api.SearchAPI.SearchData(ctx, "cmip6", climate.FILE).
		ExperimentId([]string{"historical"}).VariableId([]string{"tas", "pr"}).Execute()
	must(files, err)
	counts, _, err := api.SearchAPI.SearchMetadata(ctx, "cmip6", climate.FILE).
		ExperimentId([]string{"historical"}).VariableId([]string{"tas", "pr"}).Execute()
	must(counts, err)
	archive, _, err := api.CataloguesAPI.CreateStacCatalogue(ctx, "cmip6", climate.FILE).
		ExperimentId([]string{"historical"}).VariableId([]string{"tas", "pr"}).Execute()
	must(archive, err)
	bytes := must(os.ReadFile(archive.Name()))
	os.Remove(archive.Name())
	must(0, os.WriteFile("stac.zip", bytes, 0o644))

	first, _, err := api.AuthAPI.IssueToken(ctx).
		Username(os.Getenv("SDK_USERNAME")).Password(os.Getenv("SDK_PASSWORD")).Execute()
	must(first, err)
	token, _, err := api.AuthAPI.IssueToken(ctx).RefreshToken(first.RefreshToken).Execute()
	must(token, err)
	signedIn := context.WithValue(ctx, climate.ContextAccessToken, token.AccessToken)
	status, _, err := api.AuthAPI.TokenStatus(signedIn).Execute()
	must(status, err)

	project := []string{os.Getenv("SDK_PROJECT")}
	kept, gone := os.Getenv("SDK_FILES")+"/kept.nc", os.Getenv("SDK_FILES")+"/deleted.nc"
	entry := func(file string) climate.UserMetadataEntry {
		entry := climate.NewUserMetadataEntry(file, []string{"tas", "pr"}, "1985 to 1989", "mon")
		entry.SetBbox("-10,30,35,70")
		entry.SetProject(project)
		entry.SetModel([]string{"my-model"})
		entry.SetExtra(map[string]interface{}{
			"additional_info": `bias adjusted: "äöü"`,
			"modle":           "no misspelling here",
			"run": map[string]interface{}{
				"seed": 7, "ratio": 0.25, "tags": []string{"a", "b"}, "final": true,
			},
		})
		return *entry
	}
	body := climate.NewUserDataRequest([]climate.UserMetadataEntry{entry(kept), entry(gone)})
	body.SetFacets(map[string]string{"product": "output"})
	added, _, err := api.UserDataAPI.AddUserData(signedIn).UserDataRequest(*body).Execute()
	must(added, err)
	mine := func() []string {
		found, _, err := api.SearchAPI.SearchData(ctx, "user", climate.FILE).
			Project(project).Model([]string{"my-model"}).Execute()
		return lines(must(found, err))
	}
	found := mine()
	deleted, _, err := api.UserDataAPI.DeleteUserData(signedIn).
		RequestBody(map[string]string{"file": gone}).Execute()
	must(deleted, err)
	left := mine()

	_, _, err = api.SearchAPI.SearchData(ctx, "cmip6", climate.FILE).
		Time([]string{"tomorrow"}).Execute()
	var refused *climate.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(fmt.Sprint("it was not refused: ", err))
	}
	problem := refused.Model().(climate.Problem)

	report := map[string]interface{}{
		"flavours":        overview.Flavours,
		"facets_of_cmip6": overview.Attributes["cmip6"],
		"files":           lines(files),
		"total":           counts.TotalCount,
		"variables":       counts.Facets["variable_id"],
		"archive":         len(bytes),
		"email":           status.Email,
		"renewed":         token.RefreshToken != first.RefreshToken,
		"added":           added.Status,
		"found":           found,
		"deleted":         deleted.Status,
		"left":            left,
		"problem": map[string]interface{}{
			"type": problem.Type, "status": problem.Status,
			"detail": problem.Detail, "errors": problem.Errors,
		},
	}
	fmt.Println(string(must(json.Marshal(report))))
}
